/**
 * Questions that the equipment refused, or did not answer in time while it answered S1F1. They are not asked again until
 * it has other software, or has answered them to anybody.
 */
export class RefusedQuestions {
  #software: string | undefined
  readonly #questions = new Set<string>()

  has(question: string): boolean {
    return this.#questions.has(question)
  }

  add(question: string): void {
    this.#questions.add(question)
  }

  /** The equipment replied with this secondary, however late: it supports the message. */
  answered(stream: number, fn: number): void {
    this.#questions.delete(`S${stream}F${fn - 1}`)
  }

  /** The equipment reports MDLN and SOFTREV. Software that has changed may know other messages. */
  meet(software: string): void {
    if (this.#software !== software) this.#questions.clear()
    this.#software = software
  }
}
