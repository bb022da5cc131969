// Copies the final image to the target, scaled if it was rendered at a lower resolution.
#version 330 core

in vec2 v_screen;

uniform sampler2D u_image;

out vec4 out_colour;

void main() {
    out_colour = vec4(texture(u_image, v_screen).rgb, 1.0);
}
