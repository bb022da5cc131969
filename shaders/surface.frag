// Shading of every surface: texture or colour, lights and shadow, a trace of sky at grazing angles.
// Variants by define, because software renderers pay for both sides of a branch: PLANE adds the floor's grid
// and its fading into the horizon; TEXTURE_2D, TEXTURE_CUBE, SKYBOX and SHADOW say what there is to look up, BOX,
// TEXCOORD and OWN_SHAPE where; OPEN is a mesh with an inside to be seen; HIDDEN shines through.
#version 330 core

in vec3 v_position;
in vec3 v_normal;
in vec3 v_local;
flat in vec4 v_colour;
flat in vec4 v_material;
in vec2 v_uv;
in vec3 v_cube;
flat in vec2 v_infinite;

uniform vec3 u_eye;
uniform float u_far;
uniform float u_haze;
uniform float u_grid;
uniform sampler2D u_texture;
uniform samplerCube u_cube;

out vec4 out_colour;

#include "include/colour.glsl"
#include "include/sky.glsl"
#ifdef SHADOW
#include "include/shadow.glsl"
#endif
#include "include/light.glsl"

vec3 base_colour() {
    vec3 colour = to_linear(v_colour.rgb);
#ifdef TEXTURE_2D
    colour *= texture(u_texture, v_uv).rgb;
#endif
#ifdef TEXTURE_CUBE
    colour *= to_linear(texture(u_cube, v_cube).rgb);
#endif
    return colour;
}

#ifdef PLANE
// coverage by lines every `spacing` metres, one pixel wide, gone where they would crowd
float grid_lines(float spacing) {
    vec2 at = v_local.xy / spacing, width = fwidth(at);
    vec2 line = clamp(1.2 - abs(fract(at - 0.5) - 0.5) / max(width, vec2(1e-6)), 0.0, 1.0);
    vec2 clarity = 1.0 - smoothstep(0.05, 0.35, width);
    return max(line.x * clarity.x, line.y * clarity.y);
}
#endif

void main() {
    Surface s;
    s.position = v_position;
    s.normal = normalize(v_normal);
#ifdef OPEN
    s.normal = gl_FrontFacing ? s.normal : -s.normal;
#endif
    s.to_eye = normalize(u_eye - v_position);
    s.albedo = base_colour();
    s.specular = v_material.x;
    s.shininess = v_material.y;
    float alpha = v_colour.a;
#if defined(PLANE) && !defined(TEXTURE_2D)
    float lines = 0.55 * grid_lines(u_grid) + 0.25 * grid_lines(0.2 * u_grid);
    s.albedo = mix(s.albedo, 1.6 * s.albedo + 0.012, lines);
#endif
    vec3 colour = illuminate(s) + v_material.z * s.albedo;

    // a polished surface mirrors the sky, most where it is seen edge on
    vec3 mirrored = reflect(-s.to_eye, s.normal);
    float grazing = pow(1.0 - max(dot(s.normal, s.to_eye), 0.0), 5.0);
    colour += sky(mirrored) * (0.25 * s.specular + v_material.w) * mix(0.08, 1.0, grazing);

#ifdef PLANE
    // an infinite floor becomes the horizon, at grazing angles and before it ends
    vec3 away = v_position - u_eye;
    float grazed = 1.0 - smoothstep(0.0, max(0.5 * u_haze, 1e-4), dot(s.normal, s.to_eye));
    float ended = smoothstep(0.5, 0.9, length(away) / u_far);
    vec3 horizon = sky(normalize(vec3(away.xy, 0.0)));
    colour = mix(colour, horizon, max(v_infinite.x, v_infinite.y) * max(grazed * grazed, ended));
#endif
#ifdef HIDDEN
    alpha *= 0.4;
#endif
    out_colour = vec4(colour, alpha);
}
