import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.js'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { optional } from '../../src/cli/input/arguments.js'
import { catalogueOf, fileName } from '../../src/cli/messages/catalogue-flag.js'
import {
  DESCRIPTION_COLUMNS,
  describeMessages,
  messageAsJson,
} from '../../src/cli/messages/catalogue-output.js'
import { counted } from '../../src/secs2/wording.js'

export default class MessagesCheck extends BaseCommand {
  static override summary = 'Check a file of messages and items of this site, and list them. Offline.'
  static override description = `The file is JSON: {"messages": [...], "items": [...]}.

A message has stream, function, name, direction (host, equipment or both), w_bit of a primary (required, optional or forbidden), and structure, written as \`messages describe\` prints it. A primary that the equipment sends may have an answer: named items for its secondary, such as {"ACKC64": "0"}, by which the gateway answers. Without one it is recorded and aborted (SxF0), unless GEM says what a host answers.

An item has name, formats ("any", or formats with the one to build first), meaning, and of a code values, and of an acknowledge code accepts.

A message or item with the name of a standard one replaces it. Give the file to daemon start, daemon run, send and messages describe with --catalogue.`
  static override examples = [
    'secsctl messages check site.json',
    'secsctl messages check --schema > site.schema.json',
  ]
  static override args = { file: optional('The file; - is standard input.') }
  static override flags = {
    schema: Flags.boolean({ default: false, summary: 'Print the JSON Schema of such a file, for editors.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessagesCheck)
    if (flags.schema === (args.file !== undefined)) throw wrongUsage('name a file, or use --schema')
    if (args.file === undefined) {
      const { SiteFile } = await import('../../src/catalogue/site/site-file.js')
      return this.print(JSON.stringify(SiteFile, undefined, 2))
    }
    const catalogue = await catalogueOf(this.environment.stdin, args.file)
    const own = describeMessages(catalogue).filter(({ stream, function: fn }) =>
      catalogue.rows(stream, fn).some(({ source }) => 'site' in source),
    )
    if (this.format === 'json') return this.printJson(own.map(messageAsJson))
    await this.printList(own, DESCRIPTION_COLUMNS, 'No messages.')
    const items = catalogue.items.filter(({ source }) => source !== undefined).length
    this.note(
      `${fileName(args.file)} is valid: ${counted(own.length, 'message')} and ${counted(items, 'item')}.`,
    )
  }
}
