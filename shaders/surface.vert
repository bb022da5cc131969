// Instances of primitives and model meshes: local -> scaled, halves of a capsule moved apart -> world -> clip space.
// CLIP clips what is behind the mirror plane.
#version 330 core

in vec3 in_position;
in vec3 in_normal;
in float in_cap;
in vec2 in_texcoord;

in vec3 i_position;
in vec3 i_row0;
in vec3 i_row1;
in vec3 i_row2;
in vec4 i_shape;
in vec4 i_colour;
in vec4 i_material;
in vec2 i_repeat;
in vec3 i_extent;
in vec2 i_metallic_roughness;
in float i_id;

uniform mat4 u_view_projection;
uniform vec3 u_eye;
uniform float u_far;
uniform vec4 u_parallel;           // view direction; 1 if orthographic
uniform float u_min_radius;        // minimum radius of rods at unit distance; 0 for other shapes
uniform vec4 u_mirror_plane;       // normal, distance from the origin

out vec3 v_position;
out vec3 v_normal;
out vec3 v_local;
flat out vec4 v_colour;            // linear
flat out vec4 v_gloss;             // specular strength and exponent, emission, reflectance
flat out vec2 v_metallic_roughness; // negative where the model gives none
flat out float v_id;
out float v_top;                   // 1 on the face that can be a mirror
out vec2 v_uv;
out vec3 v_cube;

#include "include/colour.glsl"
#include "include/highlight.glsl"

// coordinates of a 2D texture: those of the mesh or round primitive, else projected along z, on the sides of a box along
// x or y; the origin is the upper left corner, on a mesh, a height field or an infinite plane the middle of a tile
vec2 texture_coordinate(vec2 infinite) {
#if defined(TEXCOORD) && defined(MODEL_MESH)
    return i_repeat * in_texcoord;
#elif defined(TEXCOORD)
    return i_repeat * in_texcoord * i_shape.xy / i_extent.xy;
#elif defined(MODEL_MESH)
    return 0.5 * i_repeat * vec2(v_local.x, -v_local.y) / i_extent.xy + 0.5;
#else
    vec2 at = v_local.xy, corner = i_shape.xy, extent = i_extent.xy;
#ifdef BOX
    if (abs(in_normal.x) > 0.5) {
        at = v_local.yz, corner = i_shape.yz, extent = i_extent.yz;
    } else if (abs(in_normal.y) > 0.5) {
        at = v_local.xz, corner = i_shape.xz, extent = i_extent.xz;
    }
#endif
    return 0.5 * i_repeat * vec2(corner.x + at.x, corner.y - at.y) / extent + 0.5 * infinite;
#endif
}

void main() {
    mat3 rotation = transpose(mat3(i_row0, i_row1, i_row2));
    vec2 infinite = vec2(0.0);
#ifdef PLANE
    // an infinite plane follows the eye and ends beyond the horizon
    infinite = vec2(lessThanEqual(i_shape.xy, vec2(0.0)));
    vec2 eye = (transpose(rotation) * (u_eye - i_position)).xy;
    v_local = vec3(in_position.xy * mix(i_shape.xy, vec2(u_far), infinite) + eye * infinite, 0.0);
    vec3 normal = vec3(0.0, 0.0, 1.0);
#else
    vec3 scale = max(i_shape.xyz, vec3(1e-12));
    // rods are never thinner than about a pixel, or they would break up
    scale.xy = max(scale.xy, vec2(u_min_radius * mix(distance(u_eye, i_position), 1.0, u_parallel.w)));
    v_local = in_position * scale + vec3(0.0, 0.0, in_cap * i_shape.w);
    vec3 normal = in_normal / scale;
#endif
    v_position = rotation * v_local + i_position;
    v_normal = rotation * normal;
    v_colour = vec4(to_linear(i_colour.rgb), i_colour.a);
    // from specular and shininess, or from roughness if the model gives it
    vec2 specular = highlight(i_material.x, max(128.0 * i_material.y, 1.0));
    v_gloss = vec4(i_metallic_roughness.y < 0.0 ? specular : rough_highlight(i_metallic_roughness.y, max(i_metallic_roughness.x, 0.0)), i_material.zw);
    v_metallic_roughness = i_metallic_roughness;
    v_id = i_id;
#ifdef PLANE
    v_top = 1.0;
#else
    v_top = in_normal.z;
#endif
    v_uv = texture_coordinate(infinite);
#ifdef PLANE
    v_cube = v_local / i_extent;
#else
    // the caps of a capsule extend beyond the cube that its cylinder fills
    vec3 middle = vec3(i_shape.xy, in_cap == 0.0 ? i_shape.z : i_shape.w);
    v_cube = (in_position + vec3(0.0, 0.0, in_cap)) * max(middle, 1e-9) / i_extent;
#endif
    gl_Position = u_view_projection * vec4(v_position, 1.0);
#ifdef CLIP
    gl_ClipDistance[0] = dot(u_mirror_plane, vec4(v_position, -1.0));
#endif
}
