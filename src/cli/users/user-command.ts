import { endpoints } from '../../contract/endpoints.js'
import type { User } from '../../contract/users.js'
import { GatewayCommand } from '../gateway-command.js'
import { readSecret } from '../input/standard-input.js'
import { userColumns, userNamed } from './user-output.js'

/** A command about users, for administrators. */
export abstract class UserCommand extends GatewayCommand {
  protected async user(given: string): Promise<User> {
    if (!given.startsWith('usr_')) return userNamed(given, await this.allUsers())
    const client = await this.client()
    return client.call(endpoints.getUser, { params: { id: given } })
  }

  protected async allUsers(): Promise<User[]> {
    const client = await this.client()
    return this.pages(Number.POSITIVE_INFINITY, (query) => client.call(endpoints.listUsers, { query }))
  }

  /** A new password: piped in, from `SECSCTL_NEW_PASSWORD`, or asked for twice. */
  protected async newPassword(piped: boolean): Promise<string> {
    if (piped) return readSecret(this.environment.stdin, 'the password')
    const given = this.environment.variables['SECSCTL_NEW_PASSWORD']
    if (given) return given
    const otherwise = 'give the new password with --password-stdin or SECSCTL_NEW_PASSWORD'
    for (;;) {
      const first = await this.prompts.password('New password (12 characters or more)', otherwise)
      if (first === (await this.prompts.password('Once more', otherwise))) return first
      this.note('These were two different passwords.')
    }
  }

  protected async printUser(user: User): Promise<void> {
    if (this.format === 'json') this.printJson(user)
    else await this.printList([user], userColumns(this.formatTime), '')
  }
}
