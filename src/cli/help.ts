import { type Command, CommandHelp, Help, type Interfaces } from '@oclif/core'
import { environmentOf } from './environment.js'
import { wrapped } from './output/wrapped-text.js'
import { DOCUMENTED_VARIABLES } from './variables.js'

/** Of a description in several paragraphs oclif shows the last one. */
class WholeDescription extends CommandHelp {
  protected override description(): string | undefined {
    const { description } = this.command
    return description === undefined ? undefined : this.wrap(description)
  }

  /** Where a command takes more words than arguments are named, they are of the last one, or KEY=VALUE. */
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

  /** A noun in the singular, which works as well, has the commands of its plural. */
  protected override async showTopicHelp(topic: Interfaces.Topic): Promise<void> {
    const plural = topic.hidden ? this.config.findTopic(`${topic.name}s`) : undefined
    await super.showTopicHelp(plural ?? topic)
  }

  /** oclif folds what it indents, and not the first line of a help. */
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
