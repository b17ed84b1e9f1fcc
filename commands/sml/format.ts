import { SmlCommand } from '../../src/cli/sml/sml-command.js'

export default class SmlFormat extends SmlCommand {
  static override summary = 'Print SML of any dialect in canonical form.'
  static override examples = [
    'echo "S1F3 W <L <U4 1>>" | <%= config.bin %> sml format',
    '<%= config.bin %> sml format start.sml --width 100',
    '<%= config.bin %> messages show 42 --json | <%= config.bin %> sml format',
  ]

  protected override readonly fallback = 'sml'
}
