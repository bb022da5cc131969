// The sky behind everything.
#version 330 core

in vec2 v_screen;

uniform mat3 u_rays;               // directions to the right edge, the upper edge and the middle

out vec4 out_colour;

#include "include/colour.glsl"
#include "include/sky.glsl"

void main() {
    vec3 ray = u_rays * vec3(2.0 * v_screen - 1.0, 1.0);
    out_colour = vec4(sky(normalize(ray)), 1.0);
}
