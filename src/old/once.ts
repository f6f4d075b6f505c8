/** Makes the value on the first call, and gives the same one ever after. What it throws it throws again. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Acts on each text once. */
export function onceEach(act: (text: string) => void): (text: string) => void {
  const done = new Set<string>();
  return (text) => {
    if (!done.has(text)) act(text);
    done.add(text);
  };
}
