// Instances of primitives and of the model's meshes: unit shape -> scaled, drawn apart (capsules), placed in the world.
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

uniform mat4 u_view_projection;
uniform vec3 u_eye;
uniform float u_far;

out vec3 v_position;
out vec3 v_normal;
out vec3 v_local;
flat out vec4 v_colour;
flat out vec4 v_material;
out vec2 v_uv;
out vec3 v_cube;
flat out vec2 v_infinite;

// where on a two-dimensional texture: where the mesh says, else seen along z, on the sides of a box along x or y;
// it starts at the upper left corner, on a mesh, a height field or an infinite plane in the middle of a tile
vec2 texture_place() {
#if defined(TEXCOORD)
    return i_repeat * in_texcoord;
#elif defined(OWN_SHAPE)
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
    return 0.5 * i_repeat * vec2(corner.x + at.x, corner.y - at.y) / extent + 0.5 * v_infinite;
#endif
}

void main() {
    mat3 rotation = transpose(mat3(i_row0, i_row1, i_row2));
#ifdef PLANE
    // an infinite plane follows the eye and ends beyond the horizon
    v_infinite = vec2(lessThanEqual(i_shape.xy, vec2(0.0)));
    vec2 eye = (transpose(rotation) * (u_eye - i_position)).xy;
    v_local = vec3(in_position.xy * mix(i_shape.xy, vec2(u_far), v_infinite) + eye * v_infinite, 0.0);
    vec3 normal = vec3(0.0, 0.0, 1.0);
#else
    v_infinite = vec2(0.0);
    v_local = in_position * i_shape.xyz + vec3(0.0, 0.0, in_cap * i_shape.w);
    vec3 normal = in_normal / i_shape.xyz;
#endif
    v_position = rotation * v_local + i_position;
    v_normal = rotation * normal;
    v_colour = i_colour;
    v_material = i_material;
    v_uv = texture_place();
    v_cube = v_local / i_extent;
    gl_Position = u_view_projection * vec4(v_position, 1.0);
}
