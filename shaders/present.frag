// The finished picture into its place on the target, larger if it was drawn smaller.
#version 330 core

in vec2 v_screen;

uniform sampler2D u_picture;

out vec4 out_colour;

void main() {
    out_colour = vec4(texture(u_picture, v_screen).rgb, 1.0);
}
