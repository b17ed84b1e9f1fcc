import { SmlCommand } from '../../src/cli/sml/sml-command.js'

export default class SmlFormat extends SmlCommand {
  static override summary = 'Print SML of any dialect in canonical form.'
  static override examples = [
    'echo "S1F3 W <L <U4 1>>" | secsctl sml format',
    'secsctl sml format start.sml --width 100',
    'secsctl messages show 42 --json | secsctl sml format',
  ]

  protected override readonly fallback = 'sml'
}
