/** How long a token is good for, unless the gateway is opened with another time. */
export const TOKEN_LIFETIME_SECONDS = 12 * 60 * 60
/** A refreshed token stays valid for so long: another script may still use it. */
export const REFRESHED_TOKEN_MS = 60_000
