import { parseYamlText, type YamlText, YamlTextError } from '../../kit/text/yaml-text.js'
import { wrongUsage } from '../errors/failure.js'

/** The value of a YAML or JSON text, with the place of each member in it. `what` names the text for a person. */
export function yamlIn(text: string, what: string): YamlText {
  try {
    return parseYamlText(text)
  } catch (error) {
    if (!(error instanceof YamlTextError)) throw error
    throw wrongUsage(`${what}: ${error.message}`)
  }
}
