import { SML_ARGS, SmlCommand, toFlag } from '../../src/cli/sml-command.js'

export default class SmlEncode extends SmlCommand {
  static override summary = 'Print the bytes of SML, as hex: of each message its body.'
  static override examples = [
    "echo '<L <U4 1>>' | <%= config.bin %> sml encode",
    '<%= config.bin %> sml encode start.sml --to json',
  ]
  static override args = SML_ARGS
  static override flags = toFlag('hex')

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SmlEncode)
    await this.printUnits(await this.parseSmlText(await this.input(args.file)), flags.to)
  }
}
