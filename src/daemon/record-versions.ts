import type { Migration } from '../store/store.js'

/** Records as they were: what they lack has its default. */
const unchanged: Migration = (records) => records

/**
 * The steps from version 1 of the records of each collection to that of now. A member that limits rights, or without
 * which a record means something else, raises the version, also where the records of before stay as they are: an
 * earlier secsctl refuses the newer version, instead of leaving out what it does not know.
 */
export const RECORD_MIGRATIONS: Readonly<Record<string, readonly Migration[]>> = {
  // 2: label_selector restricts a user to some equipment.
  users: [unchanged],
  // 2: label_selector restricts an API key, and expired ends it for good.
  keys: [unchanged],
  // 2: transport, serial_port and what belongs to SECS-I; communication; lock; labels, which selectors select by.
  equipment: [unchanged],
  // 2: label_selector, equipment, types and names narrow what is delivered; kinds besides webhook; query belongs to the URL.
  sinks: [unchanged],
}
