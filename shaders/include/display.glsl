// From linear light to display values: vignette, tone mapping, sRGB, dither against banding.
// Done in the surface shader, so that the multisampled framebuffer needs only 8 bits a channel: on a software renderer
// half floats and a separate pass cost 40 ms of a frame of 1280 x 720.

uniform vec2 u_pixel;              // 1 / size of the viewport

vec3 display(vec3 light) {
    vec2 off_centre = gl_FragCoord.xy * u_pixel - 0.5;
    light *= 1.0 - 0.35 * dot(off_centre, off_centre);
    return to_srgb(tone_map(light)) + (pixel_noise(gl_FragCoord.xy) - 0.5) / 255.0;
}
