import type { Migration } from '../store/store.js'

/** Records as they were: what they lack has its default. */
const unchanged: Migration = (records) => records

/** Equipment at a serial port had the address 0.0.0.0 and the port 0. */
const withoutAddress: Migration = (records) =>
  records.map((record) => {
    const { transport } = record as { readonly transport?: string }
    return transport === 'secs1-serial' ? { ...(record as object), ip_address: null, port: null } : record
  })

/**
 * The steps from version 1 of the records of each collection to that of now. A member that limits rights, or without
 * which a record means something else, raises the version, also where the records of before stay as they are: an
 * earlier secsctl refuses the newer version, instead of leaving out what it does not know.
 */
export const RECORD_MIGRATIONS: Readonly<Record<string, readonly Migration[]>> = {
  // 2: label_selector restricts a user to some equipment.
  // 3: sign_on ties a user to an account of the company, who then has no password.
  users: [unchanged, unchanged],
  // 2: label_selector restricts an API key, and expired ends it for good.
  // 3: owner_id ends the key with the rights of the user who made it.
  keys: [unchanged, unchanged],
  // 2: transport, serial_port (and since when) and what belongs to SECS-I; communication; lock; labels, which selectors select by.
  // 3: ip_address and port are null at a serial port.
  // 4: tap shares it with another host, to which the gateway leaves the conversation.
  equipment: [unchanged, withoutAddress, unchanged],
  // 2: label_selector, equipment, types and names narrow what is delivered; kinds besides webhook; query belongs to the URL.
  // 3: messages narrows it further.
  sinks: [unchanged, unchanged],
}
