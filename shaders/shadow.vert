// Shadow map: instances of casters in the light's clip space.
#version 330 core

in vec3 in_position;
in float in_cap;
in vec3 i_position;
in vec3 i_row0;
in vec3 i_row1;
in vec3 i_row2;
in vec4 i_shape;

uniform mat4 u_light_projection;

#ifdef TRANSPARENT
in vec4 i_colour;
flat out float v_opacity;
// offset of the dither pattern, by instance: one geom behind another is not hidden in its shadow
flat out ivec2 v_offset;
#endif

void main() {
    vec3 local = in_position * i_shape.xyz + vec3(0.0, 0.0, in_cap * i_shape.w);
    vec3 world = transpose(mat3(i_row0, i_row1, i_row2)) * local + i_position;
    gl_Position = u_light_projection * vec4(world, 1.0);
#ifdef TRANSPARENT
    v_opacity = i_colour.a;
    v_offset = ivec2(gl_InstanceID, gl_InstanceID >> 1);
#endif
}
