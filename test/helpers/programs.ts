/** For `catch`: a program that fails may be what is measured, one that is not installed never is. */
export function unlessMissing<T>(error: T): T {
  const { code, path } = error as NodeJS.ErrnoException
  if (code === 'ENOENT')
    throw new Error(`${path} is not installed. origin/setup/packages.json says which package has it.`, {
      cause: error,
    })
  return error
}
