import type { FlagName } from '../daemon-flags.js'
import { authSchema } from './auth-members.js'
import { exampleOf } from './examples.js'
import { keyOf, kindOf, SETTING_FLAGS, shapeOf } from './setting.js'

function typeOf(flag: FlagName): object {
  const { min, max } = shapeOf(flag)
  const kind = kindOf(flag)
  if (kind === 'boolean') return { type: 'boolean' }
  if (kind === 'integer') return { type: 'integer', minimum: min, maximum: max }
  const text = { type: 'string', minLength: 1 }
  return kind === 'list' ? { anyOf: [text, { type: 'array', items: text }] } : text
}

/** The JSON Schema of a configuration file, made of the flags. */
export const settingsSchema = (): object => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Configuration file of the daemon of secsctl',
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    ...Object.fromEntries(
      SETTING_FLAGS.map((flag) => {
        const { summary, default: value = kindOf(flag) === 'boolean' ? false : undefined } = shapeOf(flag)
        const example = value === undefined ? { examples: [exampleOf(flag)] } : { default: value }
        return [keyOf(flag), { description: summary, ...typeOf(flag), ...example }]
      }),
    ),
    auth: authSchema(),
  },
})
