package tidemark.check;

import java.util.List;

/** A text file of the checkout: its path from the root, with slashes, and its lines. */
record SourceFile(String path, List<String> lines) {
    boolean isJava() {
        return path.endsWith(".java");
    }

    boolean isTest() {
        return path.contains("/src/test/");
    }

    /** Main code of one of these folders under {@code modules/}. */
    boolean isMainOf(String... folders) {
        for (String folder : folders) {
            if (path.startsWith("modules/" + folder + "/src/main/java/")) return true;
        }
        return false;
    }
}
