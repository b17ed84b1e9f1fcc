/** Hands over the text of YAML files to the tests, as esbuild's loader does to the bundle. */
export const yamlAsText = {
  name: 'yaml-as-text',
  transform: (text: string, file: string) =>
    file.endsWith('.yaml') ? { code: `export default ${JSON.stringify(text)}`, map: null } : undefined,
}
