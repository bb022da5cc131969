// The sky behind everything.
#version 330 core

in vec2 v_screen;

uniform mat3 u_rays;               // directions to the right edge, the upper edge and the middle
uniform vec4 u_fog;                // linear colour

out vec4 out_colour;

#include "include/colour.glsl"
#include "include/display.glsl"
#include "include/sky.glsl"

void main() {
    vec3 ray = normalize(u_rays * vec3(2.0 * v_screen - 1.0, 1.0));
    vec3 colour = sky(ray, 0.0);
#ifdef FOG
    colour = mix(u_fog.rgb, colour, smoothstep(0.0, 0.4, abs(ray.z)));
#endif
    out_colour = vec4(display(colour), 1.0);
}
