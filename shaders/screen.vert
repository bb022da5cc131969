// A full-screen triangle at the far plane.
#version 330 core

out vec2 v_screen;

void main() {
    v_screen = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    gl_Position = vec4(2.0 * v_screen - 1.0, 0.9999999, 1.0);
}
