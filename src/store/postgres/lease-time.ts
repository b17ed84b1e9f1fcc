/** A process that has not renewed its leases for so long has lost them. */
export const LEASE_TIME_MS = 10_000
