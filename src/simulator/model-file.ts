import { faultsBy, fileWording, type SchemaFault } from '../kit/schema-faults.js'
import type { Place } from '../kit/text/json-text.js'
import { parseYamlText, type YamlText, YamlTextError } from '../kit/text/yaml-text.js'
import { readAlarmRules, readEffects, readProcess, readWaveforms } from './file/read-behaviour.js'
import { readEquipment } from './file/read-equipment.js'
import { readTool } from './file/read-tool.js'
import { Reading } from './file/reading.js'
import { ModelFile } from './file/schema.js'
import { toolDefinitions } from './gem300/definitions.js'
import type { Model } from './model.js'

const MAX_CHARACTERS = 4 * 1024 * 1024

/** Of one file, in its error message. */
const MAX_PROBLEMS = 100

/** A problem, and its line and column where they are known. */
export type ModelProblem = SchemaFault & Partial<Place>

/** A model file that cannot be used, with all its problems. */
export class ModelError extends Error {
  override readonly name = 'ModelError'

  constructor(
    readonly problems: readonly ModelProblem[],
    /** The file's name in messages. */
    readonly file = 'the model',
  ) {
    const lines = problems.slice(0, MAX_PROBLEMS).map(({ pointer, detail, line, column }) => {
      const place = line === undefined ? '' : `${file}:${line}:${column} `
      return `${place}${pointer || '/'}: ${detail}`
    })
    if (problems.length > MAX_PROBLEMS) lines.push(`and ${problems.length - MAX_PROBLEMS} more`)
    super(lines.join('\n'))
  }
}

/** Reads a model from the text of its file, YAML or JSON. `file` is its name. Throws `ModelError`. */
export function parseModel(text: string, file = 'model'): Model {
  if (text.length > MAX_CHARACTERS) {
    const detail = `the file has ${text.length} characters, and may have ${MAX_CHARACTERS}`
    throw new ModelError([{ pointer: '', detail, line: 1, column: 1 }], file)
  }
  const yaml = yamlOf(text, file)
  try {
    return readModel(yaml.value)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const problems = error.problems.map((problem) => ({ ...problem, ...yaml.placeOf(problem.pointer) }))
    problems.sort((a, b) => a.line - b.line || a.column - b.column)
    throw new ModelError(problems, file)
  }
}

function yamlOf(text: string, file: string): YamlText {
  try {
    return parseYamlText(text)
  } catch (error) {
    if (!(error instanceof YamlTextError)) throw error
    const detail = `this is no YAML: ${error.detail}`
    throw new ModelError([{ pointer: '', detail, ...error.place }], file)
  }
}

const faultsInSchema = faultsBy(
  ModelFile,
  fileWording((shown, description) => `${shown} does not fit. ${description}`),
)

/** The model file; after its own variables, reports and events come those that its `gem300` settings add. */
const withDefinitions = (
  file: ModelFile,
  { variables, reports, events }: ReturnType<typeof toolDefinitions>,
): ModelFile => ({
  ...file,
  variables: [...(file.variables ?? []), ...variables],
  reports: [...(file.reports ?? []), ...reports],
  events: [...(file.events ?? []), ...events],
})

/** Checks a model file's content and resolves its names. Throws `ModelError`. */
export function readModel(json: unknown): Model {
  const written = faultsInSchema(json)
  if (written.length > 0) throw new ModelError(written)
  const own = json as ModelFile
  const tool = readTool(own)
  const reading = new Reading(tool ? withDefinitions(own, toolDefinitions(tool)) : own)
  const { file } = reading
  const model: Model = {
    name: file.name,
    description: file.description ?? '',
    equipment: readEquipment(reading),
    process: readProcess(reading),
    effects: readEffects(reading),
    alarmRules: readAlarmRules(reading),
    waveforms: readWaveforms(reading),
    tool,
  }
  if (reading.problems.length > 0) throw new ModelError(reading.problems)
  return model
}
