import { type Row, type Statement, statementOf } from './statements.js'
import type { Tables } from './tables.js'

/** A transaction over the tables: others see what it has written once it is committed. */
export class Transaction {
  /** Of a transaction that has written something. Its locks keep others from writing the same meanwhile. */
  #draft: Tables | undefined
  readonly #late: { readonly statement: Statement; readonly values: readonly unknown[] }[] = []

  constructor(readonly tables: Tables) {}

  /** Its locks are held already. */
  execute(text: string, values: readonly unknown[], now: number): readonly Row[] {
    const statement = statementOf(text)
    if (statement.isLate) {
      this.#late.push({ statement, values })
      return []
    }
    // Leases and documents alone are written and read again within a transaction.
    const { tables } = this
    if (statement.locks?.(values).includes('changes')) {
      this.#draft ??= { ...tables, leases: new Map(tables.leases), documents: new Map(tables.documents) }
    }
    return statement.run(this.#draft ?? tables, values, now)
  }

  commit(now: number): void {
    if (this.#draft) {
      const { leases, documents, version } = this.#draft
      Object.assign(this.tables, { leases, documents, version })
    }
    for (const { statement, values } of this.#late) statement.run(this.tables, values, now)
  }
}
