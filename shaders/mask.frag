// The outline mask: white on instances. With IDS the ID buffer: object id and distance from the eye.
#version 330 core

in vec3 v_position;
flat in float v_id;

uniform vec3 u_eye;

out vec4 out_value;

void main() {
#ifdef IDS
    out_value = vec4(v_id, length(v_position - u_eye), 0.0, 1.0);
#else
    out_value = vec4(1.0);
#endif
}
