import type { Catalogue } from '../../catalogue/catalogue.js'
import { describeItem, type ItemDescription } from '../../catalogue/description/item-description.js'
import { describeMessage, type MessageDescription } from '../../catalogue/description/message-description.js'
import { BaseCommand } from '../base-command.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { optional } from '../input/arguments.js'
import { switchFlag } from '../input/flags.js'
import { verb } from '../verb.js'
import { CATALOGUE_FLAG, catalogueHere } from './catalogue-flag.js'
import {
  DESCRIPTION_COLUMNS,
  describeMessages,
  itemAsJson,
  itemAsTsv,
  itemInWords,
  messageAsJson,
  messageAsTsv,
  messageInWords,
} from './catalogue-output.js'
import { parseMessageName } from './message-argument.js'

export const catalogueDescribe = verb(BaseCommand, {
  summary: 'Describe a message or a data item. Offline.',
  description:
    'For a message: its structure, its items, and the meaning of their codes. For a data item: its formats and codes, and the messages that contain it. For a stream, or without a name: the list of messages. Messages of a site come from --catalogue, or from the daemon on this machine if it runs with one.',
  examples: [
    'secsctl catalogue describe S2F41',
    'secsctl catalogue describe HCACK',
    'secsctl catalogue describe S2',
    'secsctl catalogue describe S2F42 --json',
    'secsctl catalogue describe S64F1 --catalogue site.json',
    'secsctl catalogue describe --markdown > messages.md',
  ],
  args: {
    name: optional('A message such as S2F41, a stream such as S2, or a data item such as HCACK.'),
  },
  flags: {
    catalogue: CATALOGUE_FLAG,
    markdown: switchFlag('Print all messages and data items as one page of Markdown.', { default: false }),
  },
  async run(on, { args, flags }) {
    const { state } = on.folders
    const catalogue = await catalogueHere(on.environment.stdin, flags.catalogue, state, (text) =>
      on.note(text),
    )
    if (flags.markdown) {
      if (args.name !== undefined) throw wrongUsage('--markdown prints all of it: leave the name out')
      const { referencePage } = await import('../../catalogue/description/reference-page.js')
      return on.print(referencePage(catalogue).trimEnd())
    }
    const name = args.name?.toUpperCase()
    const [isStream, stream] = /^S(\d+)$/.exec(name ?? '') ?? []
    if (name === undefined) return printMessages(on, describeMessages(catalogue))
    if (isStream !== undefined) {
      const found = describeMessages(catalogue, Number(stream))
      if (found.length === 0) throw new Failure('missing', `the catalogue knows no message of ${name}`)
      return printMessages(on, found)
    }
    const item = describeItem(catalogue, name)
    if (item) return printItem(on, item, catalogue)
    const message = parseMessageName(name)
    if (!message) {
      throw new Failure(
        'missing',
        `"${args.name}" is no message such as S2F41, no stream such as S2, and no data item such as HCACK`,
      )
    }
    const described = describeMessage(catalogue, message.stream, message.function)
    if (!described) throw new Failure('missing', `the catalogue does not know ${name}`)
    printMessage(on, described)
  },
})

async function printMessages(on: BaseCommand, found: readonly MessageDescription[]): Promise<void> {
  if (on.format === 'json') return on.printJson(found.map(messageAsJson))
  await on.printList(found, DESCRIPTION_COLUMNS, 'No messages.')
}

function printItem(on: BaseCommand, found: ItemDescription, catalogue: Catalogue): void {
  if (on.format === 'json') return on.printJson({ ...itemAsJson(found.item), messages: found.messages })
  if (on.format === 'tsv') on.print(itemAsTsv(found))
  else on.printPainted(itemInWords(found, catalogue))
}

function printMessage(on: BaseCommand, found: MessageDescription): void {
  if (on.format === 'json') return on.printJson(messageAsJson(found))
  if (on.format === 'tsv') on.print(messageAsTsv(found))
  else on.printPainted(messageInWords(found))
}
