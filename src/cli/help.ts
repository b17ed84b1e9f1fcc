import { CommandHelp, Help } from '@oclif/core'

/** Of a description in several paragraphs oclif shows the last one. */
class WholeDescription extends CommandHelp {
  protected override description(): string | undefined {
    const { description } = this.command
    return description === undefined ? undefined : this.wrap(description)
  }
}

/** How help is printed; named in package.json. */
export default class SecsctlHelp extends Help {
  protected override CommandHelpClass = WholeDescription
}
