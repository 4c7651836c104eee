// A first checkers bot in Java, for Crownhead and for the contest on CodinGame.
//
// It takes as many pieces as one move can; otherwise it prefers a move after which fewer of its own pieces
// are in danger; equals are decided at random. The place to make it stronger is `worth`.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Random;

class Player {
    static final Random RANDOM = new Random();

    // The piece on a square; a '#' outside the board. Row 0 is row 8, which is read first.
    static char at(char[][] board, int row, int column) {
        return row >= 0 && row < 8 && column >= 0 && column < 8 ? board[row][column] : '#';
    }

    // The board after a move: the piece is on the last square, and what it jumped over is gone.
    static char[][] play(char[][] board, String move) {
        char[][] after = new char[8][];
        for (int row = 0; row < 8; row++) after[row] = board[row].clone();
        for (int i = 0; i + 3 < move.length(); i += 2) { // "A3C5" is column A, row 3, then C, 5
            int column = move.charAt(i) - 'A', row = '8' - move.charAt(i + 1);
            int nextColumn = move.charAt(i + 2) - 'A', nextRow = '8' - move.charAt(i + 3);
            after[nextRow][nextColumn] = after[row][column];
            after[row][column] = '.';
            if (Math.abs(nextRow - row) == 2) after[(row + nextRow) / 2][(column + nextColumn) / 2] = '.';
        }
        return after;
    }

    // In how many ways the opponent could jump over a piece of mine.
    static int dangers(char[][] board, String mine) {
        int count = 0;
        for (int row = 0; row < 8; row++) {
            for (int column = 0; column < 8; column++) {
                char piece = board[row][column];
                if (piece == '.' || mine.indexOf(piece) >= 0) continue;
                for (int down = -1; down <= 1; down += 2) {
                    // Red's men go down the board, away from row 8, black's men go up, kings both ways.
                    if (piece == (down == 1 ? 'b' : 'r')) continue;
                    for (int right = -1; right <= 1; right += 2) {
                        char over = at(board, row + down, column + right);
                        char behind = at(board, row + 2 * down, column + 2 * right);
                        if (mine.indexOf(over) >= 0 && behind == '.') count++;
                    }
                }
            }
        }
        return count;
    }

    // The greater, the better. When one listed move is a jump, all are; so the longest name takes the most
    // pieces. Fewer than 100 dangers fit on a board, and a random number is less than 1.
    static double worth(char[][] board, String mine, String move) {
        return 100 * move.length() - dangers(play(board, move), mine) + RANDOM.nextDouble();
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        String colour = in.readLine();
        if (colour == null) return;
        String mine = colour.trim().equals("b") ? "bB" : "rR"; // red is told "r" or "w"
        while (true) {
            char[][] board = new char[8][];
            for (int row = 0; row < 8; row++) {
                String line = in.readLine();
                if (line == null) return; // the input has ended: the game is over
                board[row] = line.trim().toCharArray();
            }
            int count = Integer.parseInt(in.readLine().trim());
            String best = "";
            double bestWorth = Double.NEGATIVE_INFINITY;
            for (; count > 0; count--) {
                String move = in.readLine().trim();
                double moveWorth = worth(board, mine, move);
                if (moveWorth > bestWorth) {
                    best = move;
                    bestWorth = moveWorth;
                }
            }
            System.out.println(best);
            System.out.flush();
        }
    }
}
