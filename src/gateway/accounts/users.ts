import { Problem } from '../../contract/errors.js'
import type { Clock } from '../../kit/clock.js'
import { comparableEmail } from '../../kit/text/email.js'
import type { Collection } from '../../store/collection.js'
import { newId } from '../new-id.js'
import { isLocalAdmin, type UserRecord } from './user-record.js'

/** The records of users, and what holds for all of them. What is checked holds while `records.exclusively` runs. */
export class Users {
  constructor(
    readonly records: Collection<UserRecord>,
    readonly clock: Clock,
  ) {}

  async add(
    given: Pick<UserRecord, 'email' | 'name' | 'role' | 'label_selector' | 'password_hash' | 'sign_on'>,
  ): Promise<UserRecord> {
    const now = this.clock.date().toISOString()
    const times = { created_at: now, updated_at: now }
    const user: UserRecord = { id: newId('usr'), ...given, token_generation: 1, ...times }
    await this.records.put(user)
    return user
  }

  /** Throws `user_not_found`. */
  async record(id: string): Promise<UserRecord> {
    const user = await this.records.get(id)
    if (!user) throw new Problem('user_not_found', `There is no user with the id ${id}.`)
    return user
  }

  /** `email`: as `comparableEmail` makes it. */
  async byEmail(email: string): Promise<UserRecord | undefined> {
    return (await this.records.all()).find((user) => comparableEmail(user.email) === email)
  }

  /** Throws `email_taken` where another user than `owner` has it. */
  async requireFree(email: string, owner?: string): Promise<void> {
    const user = await this.byEmail(comparableEmail(email))
    if (user && user.id !== owner) throw new Problem('email_taken', `Another user has the email ${email}.`)
  }

  /** Throws `last_admin` where no other local user manages users: the identity provider may be away. */
  async requireOtherAdmin(user: UserRecord): Promise<void> {
    if (!isLocalAdmin(user)) return
    const others = (await this.records.all()).filter((other) => isLocalAdmin(other) && other.id !== user.id)
    if (others.length > 0) return
    const detail = `${user.email} is the only local administrator of all equipment. Make another one first.`
    throw new Problem('last_admin', detail)
  }
}
