/** What JSON leaves as it is and a terminal may act upon: DEL, C1, and what turns the direction of text round. */
const STEERING = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** A JSON text that means the same and steers no terminal where it is shown. */
export const steeringEscaped = (json: string): string =>
  json.replace(STEERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
