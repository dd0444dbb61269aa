export function slug(text) {
  return text.replace(" ", "-");
}
