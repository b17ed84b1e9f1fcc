import { SML_ARGS, SmlCommand, toFlag } from '../../src/cli/sml-command.js'

export default class SmlFormat extends SmlCommand {
  static override summary = 'Print SML of any dialect in canonical form.'
  static override examples = [
    'echo "S1F3 W <L <U4 1>>" | <%= config.bin %> sml format',
    '<%= config.bin %> sml format start.sml',
  ]
  static override args = SML_ARGS
  static override flags = toFlag('sml')

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SmlFormat)
    await this.printUnits(await this.parseSmlText(await this.input(args.file)), flags.to)
  }
}
