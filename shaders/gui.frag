// ImGui: vertex colour times texture, in display space.
#version 330 core

in vec2 v_texture;
in vec4 v_colour;

uniform sampler2D u_texture;

out vec4 out_colour;

void main() {
    out_colour = v_colour * texture(u_texture, v_texture);
}
