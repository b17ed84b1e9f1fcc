import { describeItem, type ItemDescription } from '../../src/catalogue/description/item-description.js'
import {
  describeMessage,
  type MessageDescription,
} from '../../src/catalogue/description/message-description.js'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import { BaseCommand } from '../../src/cli/base-command.js'
import { Failure } from '../../src/cli/errors/failure.js'
import { optional } from '../../src/cli/input/arguments.js'
import { CATALOGUE_FLAG, catalogueHere } from '../../src/cli/messages/catalogue-flag.js'
import {
  DESCRIPTION_COLUMNS,
  describeMessages,
  itemAsJson,
  itemAsTsv,
  itemInWords,
  messageAsJson,
  messageAsTsv,
  messageInWords,
} from '../../src/cli/messages/catalogue-output.js'
import { parseMessageName } from '../../src/cli/messages/message-argument.js'

export default class MessagesDescribe extends BaseCommand {
  static override summary = 'Describe a message or a data item. Offline.'
  static override description =
    'For a message: its structure, its items, and the meaning of their codes. For a data item: its formats and codes, and the messages that contain it. For a stream, or without a name: the list of messages. Messages of a site come from --catalogue, or from the daemon on this machine if it runs with one.'
  static override examples = [
    'secsctl messages describe S2F41',
    'secsctl messages describe HCACK',
    'secsctl messages describe S2',
    'secsctl messages describe S2F42 --json',
    'secsctl messages describe S64F1 --catalogue site.json',
  ]
  static override args = {
    name: optional('A message such as S2F41, a stream such as S2, or a data item such as HCACK.'),
  }

  static override flags = { catalogue: CATALOGUE_FLAG }

  #catalogue = STANDARD_CATALOGUE

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessagesDescribe)
    const { state } = this.folders
    this.#catalogue = await catalogueHere(this.environment.stdin, flags.catalogue, state, (text) =>
      this.note(text),
    )
    const name = args.name?.toUpperCase()
    const [isStream, stream] = /^S(\d+)$/.exec(name ?? '') ?? []
    if (name === undefined) return this.#printMessages(describeMessages(this.#catalogue))
    if (isStream !== undefined) {
      const found = describeMessages(this.#catalogue, Number(stream))
      if (found.length === 0) throw new Failure('missing', `the catalogue knows no message of ${name}`)
      return this.#printMessages(found)
    }
    const item = describeItem(this.#catalogue, name)
    if (item) return this.#printItem(item)
    const message = parseMessageName(name)
    if (!message) {
      throw new Failure(
        'missing',
        `"${args.name}" is no message such as S2F41, no stream such as S2, and no data item such as HCACK`,
      )
    }
    const described = describeMessage(this.#catalogue, message.stream, message.function)
    if (!described) throw new Failure('missing', `the catalogue does not know ${name}`)
    this.#printMessage(described)
  }

  async #printMessages(found: readonly MessageDescription[]): Promise<void> {
    if (this.format === 'json') return this.printJson(found.map(messageAsJson))
    await this.printList(found, DESCRIPTION_COLUMNS, 'No messages.')
  }

  #printItem(found: ItemDescription): void {
    if (this.format === 'json') return this.printJson({ ...itemAsJson(found.item), messages: found.messages })
    if (this.format === 'tsv') this.print(itemAsTsv(found))
    else this.printPainted(itemInWords(found, this.#catalogue))
  }

  #printMessage(found: MessageDescription): void {
    if (this.format === 'json') return this.printJson(messageAsJson(found))
    if (this.format === 'tsv') this.print(messageAsTsv(found))
    else this.printPainted(messageInWords(found))
  }
}
