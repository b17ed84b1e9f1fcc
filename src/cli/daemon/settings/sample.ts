import { wrapped } from '../../output/terminal-text.js'
import { AUTH_SAMPLE } from './auth-members.js'
import { exampleOf, yamlWord } from './examples.js'
import { keyOf, kindOf, SETTING_FLAGS, shapeOf } from './setting.js'

const WIDTH = 100

const HEAD = `# Settings of the daemon of secsctl (YAML). A line that begins with # has no effect: remove the # and change the value.
# A flag of \`secsctl daemon run\` wins over a variable of the environment, and that over this file.
# Paths are relative to the folder of this file. Secrets stand in files of their own, readable for the daemon alone.
# Check it:        secsctl daemon check-config FILE
# After a change:  systemctl restart secsctl, or secsctl daemon restart
`

/** A configuration file with every setting as a comment: its description, and its default or an example. */
export const sampleFile = (): string =>
  [
    HEAD,
    ...SETTING_FLAGS.map((flag) => {
      const { summary = '', default: value, env } = shapeOf(flag)
      const example = value === undefined && kindOf(flag) !== 'boolean' ? ['For example:'] : []
      const variable = env === undefined ? [] : [`Variable: ${env}.`]
      const words = [summary, ...variable, ...example].join(' ')
      return `${wrapped(words, WIDTH)
        .map((line) => `# ${line}\n`)
        .join('')}#${keyOf(flag)}: ${yamlWord(exampleOf(flag))}\n`
    }),
    AUTH_SAMPLE,
  ].join('\n')
