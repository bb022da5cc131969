// The sky, behind everything.
#version 330 core

in vec2 v_screen;

uniform mat3 u_rays;               // ray directions: right edge, upper edge, centre
uniform vec4 u_fog;                // linear colour

out vec4 out_colour;

#include "include/colour.glsl"
#include "include/display.glsl"
#include "include/sky.glsl"

void main() {
#ifdef FOG
    // beyond the end of the fog nothing else is visible
    vec3 colour = u_fog.rgb;
#else
    vec3 colour = sky(normalize(u_rays * vec3(2.0 * v_screen - 1.0, 1.0)), 0.0);
#endif
    out_colour = vec4(display(colour), 1.0);
}
