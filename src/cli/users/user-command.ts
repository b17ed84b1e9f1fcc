import { endpoints } from '../../contract/endpoints.js'
import { Problem } from '../../contract/errors.js'
import type { Page } from '../../contract/schema.js'
import type { User } from '../../contract/topics/accounts/users.js'
import { comparableEmail } from '../../kit/text/email.js'
import { GatewayCommand } from '../gateway-command.js'
import { readNewPassword } from '../input/new-password.js'
import type { Column } from '../output/output.js'

export abstract class UserCommand extends GatewayCommand {
  /** The user that an id or an email means. */
  async user(given: string): Promise<User> {
    if (given.startsWith('usr_')) return this.call(endpoints.getUser, { params: { id: given } })
    const wanted = comparableEmail(given)
    const found = (await this.allUsers()).find(({ email }) => comparableEmail(email) === wanted)
    if (!found) throw new Problem('user_not_found', `There is no user "${given}".`)
    return found
  }

  async allUsers(): Promise<User[]> {
    const found: User[] = []
    let paging: { readonly limit: number; readonly cursor?: string } | undefined = { limit: 1000 }
    while (paging) {
      const page: Page<User> = await this.call(endpoints.listUsers, { query: paging })
      found.push(...page.items)
      paging = page.next_cursor === null ? undefined : { limit: 1000, cursor: page.next_cursor }
    }
    return found
  }

  newPassword(piped: boolean): Promise<string> {
    const { prompts, environment } = this
    return readNewPassword({ prompts, environment, note: (text) => this.note(text) }, piped)
  }

  get columns(): readonly Column<User>[] {
    return [
      { title: 'ID', text: ({ id }) => id, spare: true },
      { title: 'EMAIL', text: ({ email }) => email },
      { title: 'NAME', text: ({ name }) => name },
      { title: 'ROLE', text: ({ role }) => role },
      { title: 'SELECTOR', text: ({ label_selector }) => label_selector ?? '', spare: 'empty' },
      {
        title: 'SINCE',
        spare: 'narrow',
        text: ({ created_at }) => this.formatTime(created_at),
        key: ({ created_at }) => created_at,
      },
    ]
  }
}
