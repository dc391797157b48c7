/** The same cases as in Node, with the cryptography of workerd. */
import '../shared/auth/authenticate.test.ts'
