// From linear light to the screen: tone curve, a breath of vignette, sRGB, dither against banding.
#version 330 core

in vec2 v_screen;

uniform sampler2D u_light;

out vec4 out_colour;

#include "include/colour.glsl"

void main() {
    vec3 colour = texture(u_light, v_screen).rgb;
    vec2 off_centre = v_screen - 0.5;
    colour *= 1.0 - 0.35 * dot(off_centre, off_centre);
    vec3 shown = to_srgb(tone_map(colour));
    out_colour = vec4(shown + (pixel_noise(gl_FragCoord.xy) - 0.5) / 255.0, 1.0);
}
