// From linear light to what the screen shows: tone curve, a breath of vignette, sRGB, dither against banding.
// Every surface does this itself, so that eight bits a channel are enough for the multisampled picture: on a software
// renderer half floats and a pass of their own cost 40 ms of a frame of 1280 x 720.

uniform vec2 u_pixel;              // size of a pixel in the picture

vec3 display(vec3 light) {
    vec2 off_centre = gl_FragCoord.xy * u_pixel - 0.5;
    light *= 1.0 - 0.35 * dot(off_centre, off_centre);
    return to_srgb(tone_map(light)) + (pixel_noise(gl_FragCoord.xy) - 0.5) / 255.0;
}
