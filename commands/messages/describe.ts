import { Args } from '@oclif/core'
import { describeMessage, type MessageDescription } from '../../src/catalogue/catalogue.js'
import type { DataItem } from '../../src/catalogue/data-item.js'
import { parseStructure } from '../../src/catalogue/structure.js'
import { structureText } from '../../src/catalogue/structure-text.js'
import { BaseCommand } from '../../src/cli/base-command.js'
import { Failure } from '../../src/cli/failure.js'
import { paint } from '../../src/cli/highlight.js'
import { parseMessageName } from '../../src/cli/message-name.js'
import { tsv } from '../../src/cli/output.js'

const SENDERS = { host: 'host to equipment', equipment: 'equipment to host', both: 'either way' } as const
const W_BITS = { required: 'reply required', optional: 'reply optional', forbidden: 'no reply' } as const

export default class MessagesDescribe extends BaseCommand {
  static override summary = 'Print a message: its structure, its items, and what their codes mean. Offline.'
  static override hiddenAliases = ['message:describe']
  static override examples = [
    '<%= config.bin %> messages describe S2F41',
    '<%= config.bin %> messages describe S2F42 --json',
  ]
  static override args = {
    message: Args.string({ required: true, ignoreStdin: true, description: 'Such as S2F41.' }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(MessagesDescribe)
    const name = parseMessageName(args.message)
    if (!name) throw new Failure('usage', `"${args.message}" is no message: one is S2F41`)
    const described = describeMessage(name.stream, name.function)
    if (!described) throw new Failure('missing', `the catalogue does not know ${args.message.toUpperCase()}`)
    if (this.format === 'json') return this.printJson(described)
    if (this.format === 'tsv') return this.print(tsv(described.items, ITEM_COLUMNS))
    this.print(inWords(described))
  }
}

const formats = ({ free, formats }: DataItem): string => (free ? 'any' : formats.join(' '))

const ITEM_COLUMNS = [
  { title: 'ITEM', text: ({ name }: DataItem) => name },
  { title: 'FORMATS', text: formats },
  { title: 'MEANING', text: ({ meaning }: DataItem) => meaning },
]

/** Of a line of a structure, so that it fits a terminal of 80 columns with its indentation. */
const STRUCTURE_WIDTH = 76

function inWords({ name, forms, items }: MessageDescription): string {
  const lines = [paint.bold(name)]
  for (const { direction, wBit, structure, source } of forms) {
    const text = structureText(parseStructure(structure), STRUCTURE_WIDTH) || '(header only)'
    lines.push('', `${SENDERS[direction]}, ${W_BITS[wBit]}`, text.replace(/^/gm, '  '))
    lines.push(paint.dim(`  ${source}`))
  }
  for (const item of items) {
    lines.push('', `${paint.bold(item.name)}  ${item.meaning}`, `  ${formats(item)}`)
    const codes = Object.entries(item.values ?? {})
    for (const [code, text] of codes) lines.push(`  ${code.padStart(3)}  ${text}`)
  }
  return lines.join('\n')
}
