import { Args } from '@oclif/core'
import { BaseCommand, outputFlag } from '../src/cli/base-command.js'
import { SHELLS, type Shell } from '../src/cli/completion/answer.js'
import { SCRIPTS } from '../src/cli/completion/scripts.js'

export default class CompletionCommand extends BaseCommand {
  static override summary = 'Print a script that completes commands, flags and names in a shell.'
  static override description = `bash: eval "$(secsctl completion bash)" in ~/.bashrc.
zsh: eval "$(secsctl completion zsh)" in ~/.zshrc, after compinit.
fish: mkdir -p ~/.config/fish/completions; secsctl completion fish > ~/.config/fish/completions/secsctl.fish
PowerShell: secsctl completion powershell | Out-String | Invoke-Expression in $PROFILE.

Names of equipment come from the gateway that the line names; where it does not answer at once, none are offered.`
  static override examples = [
    'eval "$(secsctl completion bash)"',
    'secsctl completion fish > ~/.config/fish/completions/secsctl.fish',
  ]
  static override args = {
    shell: Args.string({
      required: true,
      ignoreStdin: true,
      options: [...SHELLS],
      description: 'The shell.',
    }),
  }

  static override flags = { output: outputFlag(['json']) }

  async run(): Promise<void> {
    const { args } = await this.parse(CompletionCommand)
    const shell: Shell | undefined = SHELLS.find((known) => known === args.shell)
    if (shell === undefined) return
    const script = SCRIPTS[shell]
    if (this.format === 'json') return this.printJson({ shell, script })
    this.printAsIs(script)
  }
}
