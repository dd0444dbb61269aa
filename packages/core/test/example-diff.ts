// A small diff for tests that need one: one file, two lines more and one less.

/** What `git diff` prints. */
export const exampleDiff = `diff --git a/src/auth/middleware.ts b/src/auth/middleware.ts
index 1111111..2222222 100644
--- a/src/auth/middleware.ts
+++ b/src/auth/middleware.ts
@@ -1,3 +1,4 @@
 export function middleware() {
-  return true;
+  const token = readToken();
+  return token !== null;
 }
`;
