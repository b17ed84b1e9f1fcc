import { refuseNewer } from '../failure.js'
import type { Database } from './database.js'
import { MIGRATIONS } from './migrations.js'

/** Any number: the same in all processes. */
const LOCK = 7_327_001

/** Brings the database to the version of this program. Throws `StoreDamaged` where it is newer. */
export async function migrate(database: Database): Promise<void> {
  await database.transaction(async (client) => {
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`)
    await client.query('CREATE TABLE IF NOT EXISTS secsctl_version (version integer NOT NULL)')
    const { rows } = await client.query<{ readonly version: number }>('SELECT version FROM secsctl_version')
    const version = rows[0]?.version ?? 0
    refuseNewer('the database', version, MIGRATIONS.length)
    for (const migration of MIGRATIONS.slice(version)) await client.query(migration)
    await client.query('DELETE FROM secsctl_version')
    await client.query('INSERT INTO secsctl_version VALUES ($1)', [MIGRATIONS.length])
  })
}
