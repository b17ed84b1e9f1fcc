/** Something that is waited for until its deadline, and its neighbours in a `DeadlineOrder`. */
export interface Dated<T> {
  readonly at: number
  sooner?: T | undefined
  later?: T | undefined
}

/**
 * What is waited for, in order of deadlines. Adding the last one, which is nearly every one, and taking out
 * any cost the same however many there are.
 */
export class DeadlineOrder<T extends Dated<T>> {
  #first: T | undefined
  #last: T | undefined

  get first(): T | undefined {
    return this.#first
  }

  /** In no order yet. Of those with the same deadline the one that came first stays first. */
  add(entry: T): void {
    let sooner = this.#last
    while (sooner && sooner.at > entry.at) sooner = sooner.sooner
    const later = sooner ? sooner.later : this.#first
    entry.sooner = sooner
    entry.later = later
    if (sooner) sooner.later = entry
    else this.#first = entry
    if (later) later.sooner = entry
    else this.#last = entry
  }

  /** In this order. */
  remove(entry: T): void {
    const { sooner, later } = entry
    if (sooner) sooner.later = later
    else this.#first = later
    if (later) later.sooner = sooner
    else this.#last = sooner
    entry.sooner = undefined
    entry.later = undefined
  }
}
