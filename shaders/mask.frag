// White where an instance is; with IDS what the instance belongs to, and how far away it is.
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
