import { type Command, CommandHelp, Help, type Interfaces } from '@oclif/core'
import { environmentOf } from './environment.js'
import { wrapped } from './output/terminal-text.js'
import { DOCUMENTED_VARIABLES } from './variables.js'

/** oclif shows only the last paragraph of a description; this shows all of them. */
class WholeDescription extends CommandHelp {
  protected override description(): string | undefined {
    const { description } = this.command
    return description === undefined ? undefined : this.wrap(description)
  }

  /** Where a command takes more words than it names arguments, they belong to the last one, or are KEY=VALUE. */
  protected override args(args: Command.Arg.Any[]): [string, string | undefined][] | undefined {
    const isVariadic = this.command.strict === false && !String(this.command.usage).includes('KEY=VALUE')
    return super.args(args)?.map(([name, description], at) => {
      const takesMore = isVariadic && at === args.length - 1
      return [takesMore ? name : name.replace('...', ''), description]
    })
  }
}

/** How help is printed; named in package.json. */
export default class SecsctlHelp extends Help {
  protected override CommandHelpClass = WholeDescription

  override async showHelp(argv: string[]): Promise<void> {
    const words = argv.filter((word) => !word.startsWith('-'))
    if (words.length === 1 && words[0] === 'environment') return this.log(environmentText())
    await super.showHelp(argv)
  }

  protected override async showRootHelp(): Promise<void> {
    await super.showRootHelp()
    this.log('`secsctl help environment` lists the variables that it reads.')
  }

  /** A noun in the singular works as well, and has the commands of its plural. */
  protected override async showTopicHelp(topic: Interfaces.Topic): Promise<void> {
    const plural = topic.hidden ? this.config.findTopic(`${topic.name}s`) : undefined
    await super.showTopicHelp(plural ?? topic)
  }

  /** oclif folds indented text only, not the first line of a help. */
  protected override log(...texts: string[]): void {
    const width = this.opts.maxWidth ?? 80
    const { stdout } = environmentOf(this.config)
    for (const line of texts.join(' ').split('\n')) stdout.write(`${folded(line, width).join('\n')}\n`)
  }
}

const folded = (line: string, width: number): string[] =>
  line.startsWith(' ') ? [line] : wrapped(line, width)

function environmentText(): string {
  const widest = Math.max(...DOCUMENTED_VARIABLES.map(([name]) => name.length))
  const rows = DOCUMENTED_VARIABLES.map(([name, what]) => {
    const [first = '', ...rest] = wrapped(what, 80 - widest - 4)
    const below = rest.map((line) => ' '.repeat(widest + 4) + line)
    return [`  ${name.padEnd(widest)}  ${first}`, ...below].join('\n')
  })
  return ['Environment variables. A flag wins over them, and they win over the profile.', '', ...rows].join(
    '\n',
  )
}
