import { Args } from '@oclif/core'
import { BaseCommand, outputFlag } from '../base-command.js'
import { verb } from '../verb.js'
import { SHELLS, type Shell } from './completion-reply.js'
import { SCRIPTS } from './scripts.js'

export const completionCommand = verb(BaseCommand, {
  summary: 'Print a script that completes commands, flags and names in a shell.',
  description: `bash: eval "$(secsctl completion bash)" in ~/.bashrc.
zsh: eval "$(secsctl completion zsh)" in ~/.zshrc, after compinit.
fish: mkdir -p ~/.config/fish/completions; secsctl completion fish > ~/.config/fish/completions/secsctl.fish
PowerShell: secsctl completion powershell | Out-String | Invoke-Expression in $PROFILE.

Names of equipment come from the gateway that the line names; if the gateway does not respond at once, it offers none.`,
  examples: [
    'eval "$(secsctl completion bash)"',
    'secsctl completion fish > ~/.config/fish/completions/secsctl.fish',
  ],
  args: {
    shell: Args.string({
      required: true,
      ignoreStdin: true,
      options: [...SHELLS],
      description: 'The shell.',
    }),
  },
  flags: { output: outputFlag(['json']) },
  async run(on, { args }) {
    const shell: Shell | undefined = SHELLS.find((known) => known === args.shell)
    if (shell === undefined) return
    const script = SCRIPTS[shell]
    if (on.format === 'json') return on.printJson({ shell, script })
    on.printAsIs(script)
  },
})
