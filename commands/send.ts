import { Flags } from '@oclif/core'
import type { Catalogue } from '../src/catalogue/catalogue.js'
import { outputFlag } from '../src/cli/base-command.js'
import { EquipmentCommand } from '../src/cli/equipment/equipment-command.js'
import { CHANGE_FLAGS, TARGET_ARGUMENT } from '../src/cli/equipment/equipment-targets.js'
import { wrongUsage } from '../src/cli/errors/failure.js'
import { optional } from '../src/cli/input/arguments.js'
import { readText } from '../src/cli/input/standard-input.js'
import { CATALOGUE_FLAG, catalogueHere } from '../src/cli/messages/catalogue-flag.js'
import { dryRun } from '../src/cli/messages/dry-run.js'
import { messageGiven } from '../src/cli/messages/message-argument.js'
import { messageSml } from '../src/cli/messages/message-output.js'
import { replyVerdict } from '../src/cli/messages/reply-verdict.js'
import { NO_WAIT, TRANSACTION_FLAGS } from '../src/cli/messages/transaction-flags.js'
import { endpoints } from '../src/contract/endpoints.js'
import type { Message, NewMessage } from '../src/contract/topics/messages.js'
import { EXIT_CODES } from '../src/explanation/exit-codes.js'

export default class SendCommand extends EquipmentCommand {
  static override summary = 'Send a SECS message and print the reply; exit code 8 when the equipment refuses.'
  static override description =
    'Items are named as the catalogue names them (`messages describe S2F41`). KEY=VALUE gives text, KEY:=JSON anything else. An item that repeats takes values with commas between. A reply that is not valid SECS-II ends with exit code 8, too, and its bytes are printed.'
  static override strict = false
  static override usage = 'send EQUIPMENT MESSAGE [KEY=VALUE...]'
  static override examples = [
    'secsctl send etcher S1F1',
    'secsctl send --all S1F1 --yes',
    'secsctl send etcher S1F3 SVID=1001,1002',
    `secsctl send etcher S2F41 RCMD=STOP 'PARAMS:=[{"CPNAME":"LOT","CPVAL":"1"}]'`,
    "secsctl send etcher 'S1F3 W <L <U4 1001>>.'",
    'secsctl send etcher --file start.sml --dry-run',
  ]
  static override args = {
    equipment: TARGET_ARGUMENT,
    message: optional('Such as S1F1, or an SML text; - reads SML from standard input.'),
  }
  static override flags = {
    ...TRANSACTION_FLAGS,
    ...CHANGE_FLAGS,
    file: Flags.string({
      char: 'f',
      helpValue: 'FILE',
      summary: 'Read SML from a file; - is standard input.',
    }),
    'dry-run': Flags.boolean({ summary: 'Print SML and hex, and send nothing.' }),
    catalogue: CATALOGUE_FLAG,
    'no-wait': NO_WAIT,
    output: outputFlag(['sml', 'table', 'tsv', 'json']),
  }

  protected override readonly words = {
    '/data/': '*',
    '/data': 'the data',
    '/body/': 'the body: *',
    '/body': 'the body',
    '/function': 'MESSAGE',
  }

  protected async one(): Promise<void> {
    const { args, argv, flags } = await this.parse(SendCommand)
    const catalogue = await this.#catalogue(flags.catalogue)
    const given = await this.#message(argv.slice(1).map(String), flags.file, catalogue)
    const body: NewMessage = { ...given, ...(flags['no-wait'] && { wait_for_reply: false }) }
    const { stream, function: fn } = body
    if (stream !== undefined && fn !== undefined) this.subject.message = `S${stream}F${fn}`
    this.subject.heading = stream === undefined || fn === undefined ? 'the SML' : catalogue.name(stream, fn)
    const equipment = await this.equipment(args.equipment)
    if (flags['dry-run']) {
      const dry = dryRun(body, equipment, catalogue)
      return this.format === 'json'
        ? this.printJson(dry)
        : this.print(dry.hex === '' ? dry.sml : `${dry.sml}\n\n${dry.hex}`)
    }
    const sent = await this.ask(endpoints.sendMessage, equipment.id, flags, { body })
    const { message, reply } = sent
    if (this.format === 'json') this.printJson(sent)
    else if (reply) this.#printReply(reply)
    if (!reply)
      return this.note(`sent as message ${message.id}. Its end: secsctl messages show ${message.id}`)
    if (message.latency_ms !== undefined)
      this.note(`${reply.name}, after ${Math.round(message.latency_ms)} ms`)
    this.#judge(equipment.name, reply, catalogue)
  }

  /** As the gateway knows it, where that runs here. */
  async #catalogue(file: string | undefined): Promise<Catalogue> {
    const { url } = file === undefined ? await this.session.target() : {}
    return catalogueHere(
      this.environment.stdin,
      file,
      this.session.folders.state,
      (text) => this.note(text),
      url,
    )
  }

  async #message(
    rest: readonly string[],
    file: string | undefined,
    catalogue: Catalogue,
  ): Promise<NewMessage> {
    const [text, ...parameters] = rest
    if (file !== undefined) {
      if (text !== undefined) throw wrongUsage('--file takes the place of the message')
      return { sml: await readText(this.environment.stdin, file, '--file') }
    }
    if (text === undefined)
      throw wrongUsage('which message? Such as S1F1, an SML text, - for SML from standard input, or --file')
    if (text !== '-') return messageGiven(text, parameters, catalogue)
    if (parameters.length > 0) throw wrongUsage('an SML text holds its items: KEY=VALUE does not go with it')
    return { sml: await readText(this.environment.stdin, '-', 'the message') }
  }

  #printReply(reply: Message): void {
    const { output } = this.globals
    if (output !== 'table' && output !== 'tsv') return this.print(messageSml(reply))
    const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
    this.printRecord(
      reply,
      Object.entries(reply.data ?? { SML: messageSml(reply) }).map(
        ([name, value]) => [name, text(value)] as const,
      ),
    )
  }

  /** A refusal is an answer, but no success. */
  #judge(equipment: string, reply: Message, catalogue: Catalogue): void {
    const { stream, function: fn, decode_error } = reply
    if (decode_error !== undefined) {
      this.note(`the body of S${stream}F${fn} is not valid SECS-II: ${decode_error}`)
      this.note(`Try: secsctl messages show ${reply.id}`)
      this.environment.exitCode = EXIT_CODES.equipment
      return
    }
    if (reply.data === null && catalogue.find(stream, fn, 'equipment')) {
      this.note(`this does not match the catalogue's S${stream}F${fn}`)
      this.note(`Try: secsctl messages describe S${stream}F${fn}`)
    }
    const verdict = replyVerdict(reply, catalogue)
    if (!verdict || verdict.accepted) return
    this.note(`${equipment} refused: ${verdict.item} ${verdict.code}, ${verdict.text}`)
    this.environment.exitCode = EXIT_CODES.equipment
  }
}
