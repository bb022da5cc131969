// Shading of every surface: texture or colour, lights and shadow, a trace of sky at grazing angles.
// Variants by define, because software renderers pay for both sides of a branch: INFINITE is a plane that fades into the
// horizon, with a grid unless it has a texture; TEXTURE_2D, TEXTURE_CUBE, SKYBOX and SHADOWS say what there is to look
// up, BOX, TEXCOORD and OWN_SHAPE where; OCCLUSION, ROUGHNESS, METALLIC, ORM, NORMAL and EMISSIVE are further textures of
// the material; MIRROR shows the mirrored scene. Every variant takes a software renderer about 0.1 s to compile, so what
// costs next to nothing is no variant.
#version 330 core

in vec3 v_position;
in vec3 v_normal;
in vec3 v_local;
flat in vec4 v_colour;
flat in vec4 v_gloss;
flat in vec2 v_finish;
in float v_top;
in vec2 v_uv;
in vec3 v_cube;

uniform vec3 u_eye;
uniform float u_far;
uniform vec4 u_parallel;           // where the eye looks; 1 if all rays go there
uniform float u_grid;
uniform float u_opacity;           // less than 1 where an overlay is hidden
uniform vec4 u_fog;                // linear colour; 1 / distance over which it thickens
uniform float u_fog_start;
uniform sampler2D u_texture;
uniform samplerCube u_cube;
uniform sampler2D u_mirror;

out vec4 out_colour;

#include "include/colour.glsl"
#include "include/display.glsl"
#include "include/sky.glsl"
#if SHADOWS > 0
#include "include/shadow.glsl"
#endif
#include "include/light.glsl"
#include "include/highlight.glsl"
#include "include/layers.glsl"

// colour and opacity; `sheen` is what the texture leaves of highlights: white ones would wash out a dark floor
vec4 base_colour(out vec3 sheen) {
    vec4 texel = vec4(1.0);
#ifdef TEXTURE_2D
    texel = texture(u_texture, v_uv);
#endif
#ifdef TEXTURE_CUBE
    texel.rgb = texture(u_cube, v_cube).rgb;
#endif
    sheen = texel.rgb;
    return v_colour * vec4(to_linear_quick(texel.rgb), texel.a);
}

#if defined(INFINITE) && !defined(TEXTURE_2D)
#define GRID
// coverage by lines every `spacing` metres, one pixel wide, gone where they would crowd
float grid_lines(float spacing) {
    vec2 at = v_local.xy / spacing, width = fwidth(at);
    vec2 line = clamp(1.2 - abs(fract(at - 0.5) - 0.5) / max(width, vec2(1e-6)), 0.0, 1.0);
    vec2 clarity = 1.0 - smoothstep(0.05, 0.35, width);
    return max(line.x * clarity.x, line.y * clarity.y);
}
#endif

void main() {
    vec3 sheen;
    vec4 base = base_colour(sheen);
#ifdef GRID
    float lines = 0.55 * grid_lines(u_grid) + 0.25 * grid_lines(0.2 * u_grid);
    base.rgb = mix(base.rgb, 1.6 * base.rgb + 0.012, lines);
#endif
    vec3 away = v_position - u_eye;
    away = mix(away, dot(away, u_parallel.xyz) * u_parallel.xyz, u_parallel.w);
    float distance = length(away);
    Surface s;
    s.position = v_position;
#ifdef PLANE
    s.normal = v_normal;
#else
    s.normal = normalize(gl_FrontFacing ? v_normal : -v_normal);
#endif
#ifdef NORMAL
    s.normal = bumped(s.normal);
#endif
    s.to_eye = -away / max(distance, 1e-6);
    vec3 layers = orm();
    s.open = layers.r;
    float metallic;
    vec2 shine = finish(layers, metallic);
    // there is little around a metal to be mirrored: some of its light stays diffuse
    s.diffuse = base.rgb * (1.0 - 0.6 * metallic);
    s.specular = shine.x * mix(sheen, base.rgb, metallic);
    s.exponent = shine.y;
    vec3 colour = illuminate(s) + glow(base.rgb);

    float facing = dot(s.normal, s.to_eye);
#ifndef PLANE
    // a polished surface mirrors the sky, most where it is seen edge on
    float edge = 1.0 - max(facing, 0.0), grazing = edge * edge * edge * edge * edge;
    float polish = s.open * (0.25 * min(shine.x, 1.0) + v_gloss.w + metallic);
    vec3 tint = mix(vec3(1.0), base.rgb, metallic);
    vec3 mirrored = sky(reflect(-s.to_eye, s.normal), 5.0);
    colour += mirrored * tint * polish * mix(0.08 + 0.7 * metallic, 1.0, grazing);
#endif

#ifdef INFINITE
    // an infinite floor becomes the horizon, at grazing angles and before it ends
    float ended = smoothstep(0.5, 0.9, distance / u_far);
#ifdef HAZE
    float grazed = 1.0 - smoothstep(0.0, max(0.5 * u_haze.w, 1e-4), facing);
    ended = max(grazed * grazed, ended);
#endif
    colour = mix(colour, sky(normalize(vec3(away.xy, 1e-6)), 3.0), ended);
#endif
    vec3 shown = display(colour);
#ifdef FOG
    // as thick as it looks in MuJoCo, which mixes what is shown, not light
    shown = mix(shown, display(u_fog.rgb), clamp((distance - u_fog_start) * u_fog.w, 0.0, 1.0));
#endif
#ifdef MIRROR
    // only the top of a box is a mirror
    float share = v_gloss.w * step(0.5, v_top);
#ifdef INFINITE
    share *= 1.0 - ended;
#endif
    vec4 image = texture(u_mirror, gl_FragCoord.xy * u_pixel);
    // its light adds up; only from what is bright does it take some away, so that there is always room for it
    shown += share * (image.rgb - image.a * shown * shown);
#endif
    out_colour = vec4(shown, u_opacity * base.a);
}
