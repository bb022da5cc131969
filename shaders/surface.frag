// Surface shading: texture or colour, lights and shadows, reflection of the sky at grazing angles.
// Variants by define, because software renderers pay for both sides of a branch: INFINITE is a plane that fades into the
// horizon, with a grid unless it has a texture; TEXTURE_2D, TEXTURE_CUBE, SKYBOX and SHADOWS select lookups; BOX, TEXCOORD
// and MODEL_MESH select texture coordinates; OCCLUSION, ROUGHNESS, METALLIC, ORM, NORMAL and EMISSIVE are further layers
// of the material; MIRROR adds the mirror image. A variant takes a software renderer about 0.1 s to compile, so cheap
// features are always on.
#version 330 core

in vec3 v_position;
in vec3 v_normal;
in vec3 v_local;
flat in vec4 v_colour;
flat in vec4 v_gloss;
flat in vec2 v_metallic_roughness;
in float v_top;
in vec2 v_uv;
in vec3 v_cube;

uniform vec3 u_eye;
uniform float u_far;
uniform vec4 u_parallel;           // view direction; 1 if orthographic
uniform float u_grid;
uniform float u_opacity;           // less than 1 where the overlay is hidden
uniform vec4 u_fog;                // linear colour; 1 / (end - start)
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

// base colour and opacity; `sheen` tints highlights by the texture: white ones would wash out a dark floor
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
// coverage by grid lines every `spacing` metres, one pixel wide, faded out where they would alias
float grid_lines(float spacing) {
    vec2 cell = v_local.xy / spacing, width = fwidth(cell);
    vec2 line = clamp(1.2 - abs(fract(cell - 0.5) - 0.5) / max(width, vec2(1e-6)), 0.0, 1.0);
    vec2 visibility = 1.0 - smoothstep(0.05, 0.35, width);
    return max(line.x * visibility.x, line.y * visibility.y);
}
#endif

void main() {
    vec3 sheen;
    vec4 base = base_colour(sheen);
#ifdef GRID
    float lines = 0.55 * grid_lines(u_grid) + 0.25 * grid_lines(0.2 * u_grid);
    base.rgb = mix(base.rgb, 1.6 * base.rgb + 0.012, lines);
#endif
    vec3 ray = v_position - u_eye;
    ray = mix(ray, dot(ray, u_parallel.xyz) * u_parallel.xyz, u_parallel.w);
    float distance = length(ray);
    Surface s;
    s.position = v_position;
#ifdef PLANE
    s.normal = v_normal;
#else
    s.normal = normalize(gl_FrontFacing ? v_normal : -v_normal);
#endif
#ifdef NORMAL
    s.normal = normal_mapped(s.normal);
#endif
    s.to_eye = -ray / max(distance, 1e-6);
    vec3 layers = orm();
    s.occlusion = layers.r;
    float metallic;
    vec2 gloss = highlight_of(layers, metallic);
    // there is little around a metal to reflect: some of its light stays diffuse
    s.diffuse = base.rgb * (1.0 - 0.6 * metallic);
    s.specular = gloss.x * mix(sheen, base.rgb, metallic);
    s.exponent = gloss.y;
    vec3 colour = illuminate(s) + emission(base.rgb);

    float facing = dot(s.normal, s.to_eye);
#ifndef PLANE
    // Fresnel reflection of the sky, strongest at grazing angles
    float edge = 1.0 - max(facing, 0.0), grazing = edge * edge * edge * edge * edge;
    float strength = s.occlusion * (0.25 * min(gloss.x, 1.0) + v_gloss.w + metallic);
    vec3 tint = mix(vec3(1.0), base.rgb, metallic);
    vec3 reflection = sky(reflect(-s.to_eye, s.normal), 5.0);
    colour += reflection * tint * strength * mix(0.08 + 0.7 * metallic, 1.0, grazing);
#endif

#ifdef INFINITE
    // an infinite plane fades into the horizon, at grazing angles and before the far plane
    float fade = smoothstep(0.5, 0.9, distance / u_far);
#ifdef HAZE
    float grazed = 1.0 - smoothstep(0.0, max(0.5 * u_haze.w, 1e-4), facing);
    fade = max(grazed * grazed, fade);
#endif
    colour = mix(colour, sky(normalize(vec3(ray.xy, 1e-6)), 3.0), fade);
#endif
    vec3 shown = display(colour);
#ifdef FOG
    // blended in display space, as MuJoCo does
    shown = mix(shown, display(u_fog.rgb), clamp((distance - u_fog_start) * u_fog.w, 0.0, 1.0));
#endif
#ifdef MIRROR
    // only the top of a box is a mirror
    float share = v_gloss.w * step(0.5, v_top);
#ifdef INFINITE
    share *= 1.0 - fade;
#endif
    vec4 image = texture(u_mirror, gl_FragCoord.xy * u_pixel);
    // additive, but bright surfaces lose some of their light, so that the sum does not clip
    shown += share * (image.rgb - image.a * shown * shown);
#endif
    out_colour = vec4(shown, u_opacity * base.a);
}
