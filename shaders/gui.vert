// ImGui: pixels from the top left -> clip space.
#version 330 core

in vec2 in_position;
in vec2 in_texture;
in vec4 in_colour;

uniform vec4 u_display;            // position and size

out vec2 v_texture;
out vec4 v_colour;

void main() {
    v_texture = in_texture;
    v_colour = in_colour;
    vec2 position = 2.0 * (in_position - u_display.xy) / u_display.zw - 1.0;
    gl_Position = vec4(position.x, -position.y, 0.0, 1.0);
}
